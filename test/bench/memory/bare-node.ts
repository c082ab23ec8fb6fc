import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { here, type Reference } from '../figure.ts'
import { usageOf } from '../process-usage.ts'

const program = fileURLToPath(new URL('../programs/bare-http.cjs', import.meta.url))

/** Measures the smallest Node program with these settings, as the lower bound. */
export const bareNode = async (env: Readonly<Record<string, string>>): Promise<Reference> => {
  const child = spawn(process.execPath, [program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env },
  })
  const ended = once(child, 'exit')
  await once(child.stdout, 'data')
  const usage = await usageOf(child.pid)
  child.kill('SIGTERM')
  await ended
  return { name: 'bare node:http', value: usage?.residentMb ?? Number.NaN, source: here }
}
