import { join } from 'node:path'
import { answerOf } from './answer-of.ts'
import type { PythonPrograms } from './programs/python-programs.ts'
import { startServerProcess } from './server-process.ts'

export interface RunningNameServer {
  /** `127.0.0.1:41234`, for UDP and TCP. */
  readonly address: string
  close(): Promise<void>
}

/** Starts the primary name server of a zone with dnspython, on a free port. Everything is removed after `close`. */
export const startNameServer = async (
  { python }: PythonPrograms,
  zone: string,
): Promise<RunningNameServer> => {
  const server = startServerProcess({
    command: python,
    args: ['-B', join(import.meta.dirname, 'python', 'name_server.py'), zone],
  })
  try {
    const port = await answerOf(
      'the name server',
      server,
      () => /listening on (\d+)/.exec(server.output())?.[1],
    )
    return { address: `127.0.0.1:${port}`, close: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}
