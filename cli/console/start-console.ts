import type { Clock } from '../../shared/clock/clock.ts'
import type { IsServed } from '../observe/observe.ts'
import { pageProgram } from './page-program.ts'
import type { ConsoleActions } from './server/console-actions.ts'
import type { EventsOfObject } from './server/object-events.ts'
import { type ConsoleSession, type ConsoleSource, createSession } from './server/session.ts'
import { type ConsoleServer, type PlanObject, startServer } from './server/start-server.ts'
import type { TreeAt } from './store/shoot-store.ts'

/** Two days of a seed with 250 shoots. */
const mostEntries = 200_000

export interface ConsoleOptions {
  readonly clock: Clock
  /** 0: the system chooses. */
  readonly port: number
  /** Opens the source. */
  readonly open: (signal: AbortSignal) => Promise<{
    readonly source: ConsoleSource
    readonly treeAt: TreeAt
    readonly isServed?: IsServed
  }>
  /** Opens the source at once and not at the first request. Default: false. */
  readonly opensAtOnce?: boolean
  readonly plan: PlanObject | string
  /** A text is the reason why there are no Events of Kubernetes. */
  readonly events: EventsOfObject | string
  /** Default: the console only reads. */
  readonly actions?: ConsoleActions
  /** Called if the source ends with an error. The page still shows its entries. */
  readonly onError: (error: unknown) => void
}

/** Starts the console's server. Unless it opens at once, it costs nothing until the page is opened. */
export const startConsole = async ({
  clock,
  port,
  open,
  opensAtOnce = false,
  plan,
  events,
  actions,
  onError,
}: ConsoleOptions): Promise<ConsoleServer> => {
  const ended = new AbortController()
  const load = async (): Promise<ConsoleSession> => {
    const { source, treeAt, isServed } = await open(ended.signal)
    const session = createSession(source, { treeAt, isServed, clock, mostEntries })
    const running = session.run(ended.signal).catch(error => {
      if (!ended.signal.aborted) onError(error)
    })
    // A journal is complete before the first answer.
    if (!source.live) await running
    return session
  }
  const session = once(load)
  const server = await startServer({
    ...{ clock, port, plan, events, session },
    ...(actions && { actions }),
    page: once(pageProgram),
  })
  // A failure is repeated, and reported, at the first request.
  if (opensAtOnce) void session().catch(() => {})
  return {
    ...server,
    close: async () => {
      ended.abort()
      await server.close()
    },
  }
}

/** Repeats a failed start at the next request. */
const once = <T>(start: () => Promise<T>): (() => Promise<T>) => {
  let started: Promise<T> | undefined
  return () => {
    started ??= start().catch(error => {
      started = undefined
      throw error
    })
    return started
  }
}
