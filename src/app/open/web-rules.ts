import type { ValidCall } from '../../core/call/call.ts'
import type { TaskPorts } from '../../core/network/task-ports.ts'
import { isLocalName, readHost } from '../../core/network/web-host.ts'
import type { Rule } from '../../core/rules/rule.ts'
import type { Touch } from '../../core/tool/touch.ts'
import { whyPrivate } from '../../http/http.ts'

/** A command that opens a port of this machine: a person looks at each. */
const ASK_PORTS: Rule = {
  name: 'ask_ports',
  decision: 'ask',
  tools: ['shell'],
  arguments: { ports: '\\d' },
  reason: 'it would open its ports on this machine (127.0.0.1), for you and for later calls of this session',
}

/** Returns the default rules of the web tools. */
export function webRules(allow: readonly string[], ports: Pick<TaskPorts, 'list'>): readonly Rule[] {
  const tools = ['web_fetch']
  const leadsToTask = ({ session }: ValidCall, touches: readonly Touch[]) => {
    const hosts = hostsOf(touches)
    return hosts.length > 0 && hosts.every((host) => isTaskPort(host, session, ports))
  }
  return [
    ASK_PORTS,
    {
      name: 'no_private_address',
      decision: 'deny',
      tools,
      reason:
        'it would reach this machine or a private network; a person can open one address in the settings: [web] allow = ["127.0.0.1:8080"]',
      when: (call, touches) =>
        !leadsToTask(call, touches) && hostsOf(touches).some((host) => whyPrivate(host, allow) !== undefined),
    },
    {
      name: 'ask_web_send',
      decision: 'ask',
      tools,
      reason: 'it would send data to another machine',
      when: (call, touches) => isPost(call) && !leadsToTask(call, touches),
    },
    {
      name: 'task_port',
      decision: 'allow',
      tools,
      reason: 'it leads to a task of this session',
      when: leadsToTask,
    },
    ...(allow.length === 0
      ? []
      : [
          {
            name: 'web_allowlist',
            decision: 'allow',
            tools,
            hosts: allow,
            reason: 'its host is on the list of [web] allow',
          } satisfies Rule,
        ]),
  ]
}

function hostsOf(touches: readonly Touch[]): readonly string[] {
  return touches.flatMap((touch) => (touch.kind === 'connects' ? [touch.host] : []))
}

function isTaskPort(text: string, session: string, ports: Pick<TaskPorts, 'list'>): boolean {
  const { host, port } = readHost(text) ?? {}
  const isHere = host === '127.0.0.1' || (host !== undefined && isLocalName(host))
  return isHere && ports.list(session).some((one) => one.port === port)
}

function isPost({ arguments: { method } }: ValidCall): boolean {
  return method === 'POST'
}
