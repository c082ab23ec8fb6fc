import { join } from 'node:path'
import { answerOf } from './answer-of.ts'
import type { PythonPrograms } from './programs/python-programs.ts'
import { startServerProcess } from './server-process.ts'

export interface RunningNameServer {
  /** `127.0.0.1:41234`, by UDP and by TCP. */
  readonly address: string
  close(): Promise<void>
}

/** The primary name server of a zone, made of dnspython, on a port that the system chooses. Nothing is left of it after `close`. */
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
