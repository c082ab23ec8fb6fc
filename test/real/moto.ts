import { answerOf } from './answer-of.ts'
import type { PythonPrograms } from './programs/python-programs.ts'
import { startServerProcess } from './server-process.ts'

export interface RunningMoto {
  /** `http://127.0.0.1:41234`: the endpoint for all services. */
  readonly url: string
  close(): Promise<void>
}

/** Starts moto as a server on a free port. Everything is removed after `close`. */
export const startMoto = async ({ python }: PythonPrograms): Promise<RunningMoto> => {
  const server = startServerProcess({
    command: python,
    args: ['-m', 'moto.server', '--host', '127.0.0.1', '--port', '0'],
  })
  try {
    const url = await answerOf(
      'moto',
      server,
      () => /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(server.output())?.[1],
    )
    return { url, close: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}
