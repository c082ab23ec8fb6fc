import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createInterface } from 'node:readline'
import type { HttpMessage } from '../../../shared/events/events.ts'

export interface ProcessStart {
  /** Arguments for node. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The path of the request. Default: `/`. */
  readonly path?: string
  /** The message that is sent by POST as soon as the process reports that it listens. */
  readonly message: HttpMessage
}

export interface FirstAnswer {
  /** From the start to the complete answer. */
  readonly ms: number
  /** CPU time of the main thread: other load on the machine changes it least. */
  readonly cpuMs: number
}

/** The longest wait for the answer, in ms. */
const patienceMs = 20_000

/**
 * Starts a Node process, waits for its log line `listening` with the port, sends one request and ends the process.
 * Returns the time from the start to the complete answer. Rejects on any answer but 204.
 */
export const firstAnswer = ({ args, env, message, path = '/' }: ProcessStart): Promise<FirstAnswer> =>
  measured({ args, env }, async stdout => {
    const status = await postEvent(await startedPort(stdout), message, path)
    if (status !== 204) throw new Error(`the process answered ${status}`)
  })

/**
 * Starts a Node process, waits for the log line with this message and ends the process. Returns the time to that line.
 */
export const firstLine = ({
  args,
  env,
  says,
}: Pick<ProcessStart, 'args' | 'env'> & { readonly says: string }): Promise<FirstAnswer> =>
  measured({ args, env }, stdout => startedPort(stdout, says))

const measured = async (
  { args, env }: Pick<ProcessStart, 'args' | 'env'>,
  reached: (stdout: NodeJS.ReadableStream) => Promise<unknown>,
): Promise<FirstAnswer> => {
  const start = performance.now()
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...env } })
  const ended = once(child, 'exit')
  const cut = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  try {
    await reached(child.stdout)
    const ms = performance.now() - start
    return { ms, cpuMs: await processorMs(child.pid) }
  } finally {
    // A graceful end, so that Node writes its compile cache.
    child.kill('SIGTERM')
    await ended
    clearTimeout(cut)
  }
}

/** CPU time of a process's main thread, in ms (proc(5), `schedstat`: nanoseconds first). */
const processorMs = async (pid: number | undefined): Promise<number> =>
  Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6

/** Reads the log of a process until it reports that it listens. Returns the port. */
export const startedPort = async (stdout: NodeJS.ReadableStream, says = 'listening'): Promise<number> => {
  const lines = createInterface({ input: stdout })
  for await (const line of lines) {
    const { msg, port } = JSON.parse(line) as { readonly msg?: string; readonly port?: number }
    if (msg === says && port !== undefined) {
      // Leaves the pipe open and drains it.
      stdout.resume()
      return port
    }
  }
  throw new Error('the process ended without listening')
}

/** Posts an event to a function on this machine, and returns the status of the answer. */
export const postEvent = (port: number, { headers, body }: HttpMessage, path = '/'): Promise<number> =>
  new Promise((resolve, reject) => {
    const options = { port, path, method: 'POST', headers: { ...headers, 'content-length': body.length } }
    const sent = request({ host: '127.0.0.1', ...options }, response => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
      response.once('error', reject)
    })
    sent.once('error', reject)
    sent.end(body)
  })
