import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { temporaryFolder } from '../temporary-folder.ts'

/** Answers requests by path; 404 for all others. */
export function serve(
  routes: Readonly<Record<string, { readonly type: string; readonly body: string | Buffer }>>,
): RequestListener {
  return (request, response) => {
    const found = routes[decodeURIComponent((request.url ?? '').split('?')[0] ?? '')]
    response.writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' })
    response.end(found?.body ?? 'not here')
  }
}

/** A registry of npm with one package, `greeting` 1.0.0, at this address; its package.json may have scripts. */
export function npmRegistry(address: string, scripts: Readonly<Record<string, string>> = {}): RequestListener {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'package'))
  const manifest = { name: 'greeting', version: '1.0.0', main: 'index.js', scripts }
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify(manifest))
  writeFileSync(join(folder, 'package/index.js'), "module.exports = 'hello from the registry'\n")
  execFileSync('tar', ['-czf', 'greeting.tgz', 'package'], { cwd: folder })
  const tarball = readFileSync(join(folder, 'greeting.tgz'))
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`
  const dist = { tarball: `${address}/greeting/-/greeting-1.0.0.tgz`, integrity }
  const packument = { name: 'greeting', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { ...manifest, dist } } }
  return serve({
    '/greeting': { type: 'application/json', body: JSON.stringify(packument) },
    '/greeting/-/greeting-1.0.0.tgz': { type: 'application/octet-stream', body: tarball },
  })
}

const MAKE_WHEEL = `
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as wheel:
    wheel.writestr('greeting.py', "TEXT = 'hello from the index'\\n")
    info = 'greeting-1.0.0.dist-info'
    wheel.writestr(info + '/METADATA', 'Metadata-Version: 2.1\\nName: greeting\\nVersion: 1.0.0\\n')
    wheel.writestr(info + '/WHEEL', 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(info + '/RECORD', 'greeting.py,,\\n' + info + '/METADATA,,\\n' + info + '/WHEEL,,\\n' + info + '/RECORD,,\\n')
`

/** An index of Python packages with one wheel, `greeting` 1.0.0. */
export function pythonIndex(): RequestListener {
  const name = 'greeting-1.0.0-py3-none-any.whl'
  const file = join(temporaryFolder(), name)
  execFileSync('/usr/bin/python3', ['-c', MAKE_WHEEL, file])
  const page = `<!doctype html><html><body><a href="/files/${name}">${name}</a></body></html>`
  return serve({
    '/simple/greeting/': { type: 'text/html', body: page },
    [`/files/${name}`]: { type: 'application/octet-stream', body: readFileSync(file) },
  })
}

/** A git server with one repository, `/project.git`, spoken to over HTTP. */
export function gitServer(): RequestListener {
  const folder = temporaryFolder()
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  git('init', '-q', '--bare', 'project.git')
  git('init', '-q', 'work')
  writeFileSync(join(folder, 'work/README.md'), 'hello from git\n')
  const work = ['-C', 'work', '-c', 'user.name=x', '-c', 'user.email=x@example.com']
  git(...work, 'add', '.')
  git(...work, 'commit', '-qm', 'first')
  git(...work, 'push', '-q', '../project.git', 'HEAD:refs/heads/main')
  git('-C', 'project.git', 'symbolic-ref', 'HEAD', 'refs/heads/main')
  return (request, response) => runGit(folder, request, response)
}

/** Runs git's own program for HTTP, as a web server would. */
export function runGit(root: string, request: IncomingMessage, response: ServerResponse): void {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const child = spawn('git', ['http-backend'], {
    env: {
      ...{ PATH: process.env.PATH, GIT_PROJECT_ROOT: root, GIT_HTTP_EXPORT_ALL: '1', HOME: root },
      ...{ PATH_INFO: path, QUERY_STRING: query, REQUEST_METHOD: request.method ?? 'GET' },
      ...{
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_USER: 'ada',
    },
  })
  request.pipe(child.stdin)
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.on('close', () => {
    const all = Buffer.concat(chunks)
    const end = all.indexOf('\r\n\r\n')
    const lines = all.toString('latin1', 0, end).split('\r\n')
    const headers = Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]))
    response.writeHead(Number.parseInt(headers.Status ?? '200', 10), headers).end(all.subarray(end + 4))
  })
}
