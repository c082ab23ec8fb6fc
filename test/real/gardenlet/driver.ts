import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** A command for the driver: see `driver/main.go`. */
export interface DriverCommand {
  readonly do: string
  readonly seed?: string
  readonly kubeconfig?: string
  readonly address?: string
  readonly kind?: string
  readonly namespace?: string
  readonly name?: string
  readonly objects?: readonly object[]
  readonly patch?: object
  readonly exposure?: object
}

/** The failure of a command, with gardenlet's text and error codes. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
  readonly codes: readonly string[]
  constructor(message: string, codes: readonly string[]) {
    super(message)
    this.codes = codes
  }
}

/** A garden in memory with the gardenlets of its seeds, in a process of their own. */
export interface Driver {
  /** Runs a command after the previous ones. Rejects with a `DriverError`. */
  ask<T>(command: DriverCommand): Promise<T>
  close(): Promise<void>
}

interface Answer {
  readonly result?: unknown
  readonly error?: string
  readonly codes?: readonly string[]
}

export const startDriver = (program: string): Driver => {
  const child: ChildProcess = spawn(program, [], { stdio: ['pipe', 'pipe', 'inherit'] })
  const waiting: PromiseWithResolvers<Answer>[] = []
  const ended = once(child, 'exit')
  let failure: Error | undefined
  child.once('exit', code => {
    failure = new Error(`the driver exited with code ${code}`)
    for (const one of waiting.splice(0)) one.reject(failure)
  })
  if (child.stdout === null) throw new TypeError('the driver has no output')
  createInterface({ input: child.stdout }).on('line', line => waiting.shift()?.resolve(JSON.parse(line)))
  return {
    ask: async command => {
      if (failure !== undefined) throw failure
      const answer = Promise.withResolvers<Answer>()
      waiting.push(answer)
      child.stdin?.write(`${JSON.stringify(command)}\n`)
      const { result, error, codes = [] } = await answer.promise
      if (error !== undefined) throw new DriverError(error, codes)
      return result as never
    },
    close: async () => {
      // The driver ends with its input, even if a command still runs.
      child.kill('SIGKILL')
      await ended
    },
  }
}
