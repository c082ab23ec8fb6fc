import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { brokenPipe } from './end-with-output.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('a function process whose output has no reader ends with the code of a broken pipe', async () => {
  const args = ['functions/main.ts', 'functions/aws/dnsrecord/function.ts']
  const env = {
    KUBECONFIG: 'cli/testing/nowhere.kubeconfig',
    TRELLIS_PORT: '0',
    TRELLIS_ADDRESS: '127.0.0.1',
  }
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const ended = once(child, 'exit')
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    const { port } = JSON.parse(line) as { readonly port: number }
    child.stdout.destroy()
    // It logs that it refuses this event, and may end before it answers.
    await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: 'no event' }).catch(() => {})
    expect(await ended).toEqual([brokenPipe, null])
  } finally {
    child.kill('SIGKILL')
  }
})
