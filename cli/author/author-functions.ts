import { isDeepStrictEqual } from 'node:util'
import { type GuestFunction, ProcessEndedError, type RunningFunction } from '../../sandbox/seed/seed.ts'
import type { Clock } from '../../shared/clock/clock.ts'
import { type FunctionDefinition, formatPlace } from '../../shared/runtime/runtime.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { conflictOf } from './conflict.ts'
import type { DescribedFunction, Description, FirstReading } from './description.ts'
import type { WatchFiles } from './watch-files.ts'

export interface AuthorFunctionsOptions {
  /** The files that `givenFiles` returns. */
  readonly files: readonly string[]
  readonly clock: Clock
  /** The first reading of each file: the bridge watches the health that it declares. */
  readonly described: FirstReading
  readonly read: (file: string, clock: Clock, signal: AbortSignal) => Promise<Description>
  /** Starts the process of a function with a valid file. Rejects with the reason if it fails. */
  readonly start: (file: string, fn: DescribedFunction) => Promise<RunningFunction>
  /** Announces the current functions; one with a broken file is announced with its last valid definition. */
  readonly host: (guests: readonly GuestFunction[]) => void
  /** Ends the process of a function, which restarts with its next event. */
  readonly restart: (name: string) => Promise<void>
  readonly own: readonly (Pick<FunctionDefinition, 'name' | 'kind' | 'types' | 'classes'> & {
    readonly file: string
  })[]
  /** Requests the due objects of a changed function. Returns their number. */
  readonly askAgain: (fn: DescribedFunction) => Promise<number>
  /** Default: files are read once. */
  readonly watch?: WatchFiles
  readonly print: (text: string, tone: 'plain' | 'good' | 'bad') => void
}

export interface AuthorFunctions {
  /** Ends the watch, and releases the waiting events. The processes end with the seed. */
  close(): void
}

interface GivenFunction {
  readonly file: string
  /** Closed while its file is invalid: events wait. */
  readonly gate: Gate
  /** The last valid definition. */
  known: DescribedFunction | undefined
  /** True if two functions conflict: this one is read again as soon as the other one changes. */
  conflicts: boolean
  reading: AbortController
}

const healthIn = (description: Description | undefined): unknown =>
  description !== undefined && 'health' in description ? description.health : []

/** The last line of a process names the line of the file, if it knows it. */
const startProblem = (file: string, error: unknown): string => {
  const last = error instanceof ProcessEndedError ? error.said.at(-1) : undefined
  return last !== undefined && /:\d+: /.test(last) ? last : `${formatPlace({ file })}: ${messageOf(error)}`
}

/**
 * Runs functions of any folders in a running seed. One process reads each file and another serves it, so a broken or
 * harmful file ends neither the seed nor the other functions. Resolves when each file was read once.
 */
export const openAuthorFunctions = async (options: AuthorFunctionsOptions): Promise<AuthorFunctions> => {
  const { files, clock, print } = options
  const given = files.map(
    (file): GivenFunction => ({
      file,
      gate: createGate(),
      known: undefined,
      conflicts: false,
      reading: new AbortController(),
    }),
  )

  const guestOf = (one: GivenFunction, fn: DescribedFunction): GuestFunction => ({
    name: fn.name,
    manifest: fn.manifest,
    start: async () => {
      for (;;) {
        await one.gate.open()
        try {
          return await options.start(one.file, one.known ?? fn)
        } catch (error) {
          refuse(one, [startProblem(one.file, error)])
        }
      }
    },
  })

  const refuse = (one: GivenFunction, problems: readonly string[]): void => {
    one.gate.close()
    for (const problem of problems) print(problem, 'bad')
    const next = options.watch === undefined ? '' : '; it is loaded again when you save it'
    const events = one.known === undefined ? '' : `: events for ${one.known.name} wait`
    print(`${formatPlace({ file: one.file })} cannot be loaded${events}${next}`, 'plain')
  }

  const use = async (one: GivenFunction, fn: DescribedFunction, isFirst: boolean): Promise<void> => {
    const before = one.gate.isOpen() ? one.known : undefined
    one.known = fn
    options.host(given.flatMap(each => (each.known === undefined ? [] : [guestOf(each, each.known)])))
    if (before !== undefined) void options.restart(before.name)
    if (!isDeepStrictEqual(fn.health, healthIn(options.described.byFile.get(one.file))))
      print(`${fn.name}: restart trellis dev to check its health as it is declared now`, 'bad')
    one.gate.let()
    const what = `${fn.name}, for ${fn.kind} of type ${fn.types.join(', ')}`
    if (isFirst) return print(`${what}: ${fn.place}`, 'good')
    const count = await options.askAgain(fn)
    print(`${what}, reloaded; ${count === 0 ? 'nothing' : count} to reconcile`, 'good')
  }

  const load = async (one: GivenFunction, isFirst: boolean): Promise<void> => {
    one.reading.abort()
    const reading = new AbortController()
    one.reading = reading
    try {
      const startedAt = isFirst ? options.described.at : Date.now()
      const first = isFirst ? options.described.byFile.get(one.file) : undefined
      const description = first ?? (await options.read(one.file, clock, reading.signal))
      watched.get(one)?.watch(description.files, startedAt)
      if ('problems' in description) return await broken(one, description.problems)
      const others = given.filter(other => other !== one && other.known !== undefined && !other.conflicts)
      const taken = [
        ...others.flatMap(({ known }) => (known === undefined ? [] : [known])),
        ...options.own.map(fn => ({ ...fn, place: formatPlace({ file: fn.file }) })),
      ]
      const conflict = conflictOf(description, taken)
      one.conflicts = conflict !== undefined
      if (conflict !== undefined) return await broken(one, [`${description.place}: ${conflict}`])
      await use(one, description, isFirst)
      for (const other of given) if (other.conflicts) await load(other, isFirst)
    } catch (error) {
      if (!reading.signal.aborted) print(messageOf(error), 'bad')
    }
  }

  const broken = async (one: GivenFunction, problems: readonly string[]): Promise<void> => {
    const wasOpen = one.gate.isOpen()
    refuse(one, problems)
    // The running process has the old code, which would be confusing.
    if (wasOpen && one.known !== undefined) await options.restart(one.known.name)
  }

  const watched = new Map(
    given.map(one => [one, options.watch?.(one.file, () => void load(one, false))] as const),
  )
  // One after the other, so that the second of two conflicting functions is always the refused one.
  for (const one of given) await load(one, true)
  return {
    close: () => {
      for (const one of given) {
        one.reading.abort()
        one.gate.end()
        watched.get(one)?.close()
      }
    },
  }
}

/** A gate that callers wait for. Initially closed. */
interface Gate {
  /** Resolves as soon as it is open; rejects when it has ended. */
  open(): Promise<void>
  isOpen(): boolean
  let(): void
  close(): void
  /** Rejects all waiting calls. */
  end(): void
}

const createGate = (): Gate => {
  const make = () => {
    const gate = Promise.withResolvers<void>()
    // There may be no waiting call.
    gate.promise.catch(() => {})
    return gate
  }
  let current = make()
  let isOpen = false
  return {
    open: () => current.promise,
    isOpen: () => isOpen,
    let: () => {
      isOpen = true
      current.resolve()
    },
    close: () => {
      if (isOpen) current = make()
      isOpen = false
    },
    end: () => {
      if (isOpen) current = make()
      isOpen = false
      current.reject(new Error('the sandbox ends'))
    },
  }
}
