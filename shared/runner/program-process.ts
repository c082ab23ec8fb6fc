import type { HttpMessage, PostAnswer } from '../events/events.ts'
import type { HostedProgram } from './programs.ts'

/** A running process of a program. */
export interface ProgramProcess {
  readonly pid: number | undefined
  /** Resolves when the process has ended for any reason, with one sentence for the log. */
  readonly ended: Promise<string>
  stop(signal: 'SIGTERM' | 'SIGKILL'): void
  /** The resident memory in bytes, with that of its children. Undefined if it cannot be read. */
  memory(): number | undefined
  /**
   * Posts an event to a path of the process. Rejects with a `PostTimeoutError` if there is no answer in time, with the
   * signal's reason when it aborts, and with the error of a broken connection.
   */
  post(path: string, message: HttpMessage, signal: AbortSignal): Promise<PostAnswer>
  /** Resolves to true if the process answers a probe before the signal aborts. */
  responds(signal: AbortSignal): Promise<boolean>
  /** Closes the connections to the process. */
  disconnect(): void
}

/** Starts programs: as processes of this machine, or in a test without any. */
export interface ProgramStarter {
  /** Returns why a program cannot start, as far as its files show. */
  missing(program: HostedProgram): Promise<string | undefined>
  /**
   * Resolves when the process listens. Rejects with the reason if it ends before, and when the signal aborts; the
   * process is then killed.
   */
  start(program: HostedProgram, signal: AbortSignal): Promise<ProgramProcess>
}
