import type { ToolProgram } from './record-tools.ts'

/** The programs that gate 11 names. Each is asked once, with all its tools, what it would tell a model. */
export const programs: readonly ToolProgram[] = [
  {
    name: 'codex',
    command: 'codex',
    args: (address) => [
      ...['exec', '--skip-git-repo-check', '-c', 'model_provider="recorder"', '-c'],
      `model_providers.recorder={name="recorder",base_url="${address}/v1",wire_api="responses",env_key="RECORDER_KEY",request_max_retries=0,stream_max_retries=0}`,
      'hi',
    ],
    env: () => ({ RECORDER_KEY: 'none' }),
  },
  {
    name: 'gemini-cli',
    command: 'gemini',
    args: () => ['--skip-trust', '--approval-mode', 'yolo', '-m', 'gemini-2.5-pro', '-p', 'hi'],
    env: (address) => ({ GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: address }),
    files: () => ({ '.gemini/settings.json': { security: { auth: { selectedType: 'gemini-api-key' } } } }),
  },
  {
    name: 'opencode',
    command: 'opencode',
    args: () => ['run', '-m', 'recorder/any', 'hi'],
    env: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    files: (address) => ({
      '.config/opencode/opencode.json': {
        provider: {
          recorder: {
            npm: '@ai-sdk/openai-compatible',
            name: 'recorder',
            options: { baseURL: `${address}/v1`, apiKey: 'none' },
            models: { any: { name: 'any' } },
          },
        },
      },
    }),
  },
]
