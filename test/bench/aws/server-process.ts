import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { usageOf } from '../process-usage.ts'

/** A server in a separate process that prints its address: `Endpoint  http://127.0.0.1:41234`. */
export interface AwsServerProcess {
  readonly url: string
  /** Resident memory, in MB; undefined if the system does not report it. */
  memory(): Promise<number | undefined>
  close(): Promise<void>
}

export const startServer = async (...args: readonly string[]): Promise<AwsServerProcess> => {
  const child = spawn(process.execPath, [...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const close = async () => {
    child.kill('SIGTERM')
    await ended
  }
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /Endpoint {2}(\S+)/.exec(line)?.[1]
    if (url === undefined) continue
    child.stdout.resume()
    return {
      url,
      memory: async () => (await usageOf(child.pid))?.residentMb,
      close,
    }
  }
  await close()
  throw new Error('the server ended without listening')
}
