import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import type { HttpMessage } from '../shared/events/events.ts'

export interface ProcessStart {
  /** Arguments of node. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** Where it is sent; `/` when absent. */
  readonly path?: string
  /** What is sent by POST as soon as the process says that it listens. */
  readonly message: HttpMessage
}

/** Longest wait for the answer, in ms. */
const patienceMs = 20_000

/**
 * Starts a Node process, waits for its log line `listening` with the port, sends one request and ends the process.
 * Returns the time from the start to the whole answer, in ms. Rejects on any answer but 204.
 */
export const firstAnswerMs = async ({ args, env, message, path = '/' }: ProcessStart): Promise<number> => {
  const start = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...env } })
  const ended = once(child, 'exit')
  const cut = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  try {
    const port = await startedPort(child.stdout)
    const status = await post(port, path, message)
    const duration = performance.now() - start
    if (status !== 204) throw new Error(`the process answered ${status}`)
    return duration
  } finally {
    // In good order, so that Node writes its compile cache.
    child.kill('SIGTERM')
    await ended
    clearTimeout(cut)
  }
}

/** Reads what a process logs until it says `listening`, and with which port. */
export const startedPort = async (stdout: NodeJS.ReadableStream): Promise<number> => {
  const lines = createInterface({ input: stdout })
  for await (const line of lines) {
    const { msg, port } = JSON.parse(line) as { readonly msg?: string; readonly port?: number }
    if (msg === 'listening' && port !== undefined) {
      // Leaves the pipe open, and empty.
      stdout.resume()
      return port
    }
  }
  throw new Error('the process ended without listening')
}

const post = (port: number, path: string, { headers, body }: HttpMessage): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        method: 'POST',
        path,
        headers: { ...headers, 'content-length': body.length },
      },
      response => {
        response.resume()
        response.once('end', () => resolve(response.statusCode ?? 0))
        response.once('error', reject)
      },
    )
    sent.once('error', reject)
    sent.end(body)
  })
