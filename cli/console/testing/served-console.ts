import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { systemClock } from '../../../shared/clock/clock.ts'
import type { JournalEntry } from '../../../shared/journal/journal.ts'
import type { ConsoleActions } from '../server/console-actions.ts'
import type { EventsOfObject } from '../server/object-events.ts'
import { createSession } from '../server/session.ts'
import { type ConsoleServer, type PlanObject, startServer } from '../server/start-server.ts'

/** A console whose entries a test adds. */
export interface ServedConsole extends ConsoleServer {
  readonly add: (...entries: readonly JournalEntry[]) => void
  readonly get: (
    path: string,
    headers?: Readonly<Record<string, string>>,
    method?: string,
    body?: string,
  ) => Promise<Answer>
  /** Reads a stream until a text arrives. Returns everything until then. */
  readonly stream: (path: string, text: string, headers?: Readonly<Record<string, string>>) => Promise<string>
}

interface Answer {
  readonly status: number | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export const header = { journal: 1, by: 'test', at: '2026-11-21T00:00:00.000Z', seed: 'eu' } as const

export const serveConsole = async ({
  plan = 'no plans',
  events = 'no Events',
  actions,
  mostEntries = 1000,
}: {
  readonly plan?: PlanObject | string
  readonly events?: EventsOfObject | string
  readonly actions?: ConsoleActions
  readonly mostEntries?: number
} = {}): Promise<ServedConsole> => {
  const waiting: JournalEntry[][] = []
  const ended = new AbortController()
  let wake = () => {}
  async function* entries() {
    while (!ended.signal.aborted) {
      yield* waiting.splice(0)
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  const session = createSession(
    { header, live: true, entries: entries() },
    {
      treeAt: ({ shoot, objects }) => ({
        id: `Shoot ${shoot}`,
        kind: 'shoot',
        title: [...objects.keys()].join(),
        state: 'ok',
        children: [],
      }),
      clock: systemClock,
      mostEntries,
    },
  )
  const running = session.run(ended.signal)
  const server = await startServer({
    port: 0,
    clock: systemClock,
    session: async () => session,
    page: async () => ({ script: 'run()', style: 'body{}' }),
    plan,
    events,
    ...(actions && { actions }),
  })
  const open = async (
    path: string,
    headers: Readonly<Record<string, string>> = {},
    method = 'GET',
    sentBody = '',
  ) => {
    const sent = request(new URL(path, server.url), { headers, method, agent: false })
    sent.end(sentBody)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response.setEncoding('utf8')
  }
  return {
    ...server,
    add: (...added) => {
      waiting.push([...added])
      wake()
    },
    get: async (path, headers, method, sentBody) => {
      const response = await open(path, headers, method, sentBody)
      let body = ''
      for await (const chunk of response) body += chunk
      return { status: response.statusCode, headers: response.headers, body }
    },
    stream: async (path, text, headers) => {
      const response = await open(path, headers)
      let body = ''
      for await (const chunk of response) {
        body += chunk
        if (body.includes(text)) break
      }
      response.destroy()
      return body
    },
    close: async () => {
      ended.abort()
      wake()
      await server.close()
      await running
    },
  }
}

/** A change of a DNSRecord. */
export const recordEntry = (shoot: string, state: string, second: number): JournalEntry => ({
  type: 'object',
  at: `2026-11-21T00:00:${String(second).padStart(2, '0')}.000Z`,
  id: `DNSRecord ${shoot}/api`,
  object: {
    kind: 'DNSRecord',
    metadata: { namespace: shoot, name: 'api' },
    status: { lastOperation: { type: 'Reconcile', state } },
  },
})
