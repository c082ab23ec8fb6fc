import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import type { Clock } from '../../../shared/clock/clock.ts'
import { refusedPage } from '../../../shared/loopback/refuse-pages.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { Overview } from '../model/history.ts'
import { answerAction } from './answer-action.ts'
import type { ConsoleActions } from './console-actions.ts'
import { streamLive } from './live-stream.ts'
import type { EventsOfObject } from './object-events.ts'
import { type ConsolePage, contentPolicy, pageHtml } from './page-html.ts'
import type { ConsoleSession } from './session.ts'

/** A request that the console refuses. */
interface RefusedRequest {
  readonly status: 403 | 405
  readonly why: string
}

/**
 * Refuses methods, and requests that another site's page may have caused. A link may open only the page itself. Actions
 * are checked further.
 */
const refusedRequest = (
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  { port, isPage, isAction }: { readonly port: number; readonly isPage: boolean; readonly isAction: boolean },
): RefusedRequest | undefined => {
  if (isAction ? method !== 'POST' : method !== 'GET' && method !== 'HEAD')
    return { status: 405, why: isAction ? 'use POST' : 'the console only reads: use GET' }
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`]
  const why = refusedPage({ headers }, { isOwnHost: host => hosts.includes(host), isLinked: isPage })
  return why === undefined ? undefined : { status: 403, why }
}

/** Computes the plan of an object, as text. Rejects with a reason for the reader. */
export type PlanObject = (
  id: string,
  options: { readonly destroy: boolean; readonly signal: AbortSignal },
) => Promise<string>

export interface ConsoleServerOptions {
  /** 0: the system chooses. */
  readonly port: number
  readonly clock: Clock
  /** Loads the session at the first request. */
  readonly session: () => Promise<ConsoleSession>
  readonly page: () => Promise<ConsolePage>
  /** A text is the reason why there are no plans. */
  readonly plan: PlanObject | string
  /** A text is the reason why there are no Events of Kubernetes. */
  readonly events: EventsOfObject | string
  /** Default: the console only reads. */
  readonly actions?: ConsoleActions
}

export interface ConsoleServer {
  /** `http://127.0.0.1:7433/` */
  readonly url: string
  /** Address of a page that may act, with its key: only for the user who started the console. Default: `url`. */
  readonly ownUrl?: string
  readonly close: () => Promise<void>
}

/** Pages that read live at once. */
const mostStreams = 32
const mostFound = 200

/** Serves the console on 127.0.0.1. */
export const startServer = async (options: ConsoleServerOptions): Promise<ConsoleServer> => {
  const ended = new AbortController()
  const server = createServer({ maxHeaderSize: 16 * 1024 })
  const answer = createAnswers(options, ended.signal)
  server.on('request', (request, response) => {
    const { port } = server.address() as AddressInfo
    answer(request, response, port).catch(error => {
      if (response.headersSent) response.destroy()
      else send(response, 500, 'text/plain', messageOf(error))
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', error => reject(portProblem(error, options.port)))
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}/`
  return {
    url,
    // A browser sends no fragment to a server, and no other page sees it.
    ...(options.actions && { ownUrl: `${url}#key=${options.actions.key}` }),
    close: () =>
      new Promise(resolve => {
        ended.abort()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const portProblem = (error: NodeJS.ErrnoException, port: number): Error =>
  error.code === 'EADDRINUSE' || error.code === 'EACCES'
    ? new UsageError(
        `port ${port} is ${error.code === 'EACCES' ? 'not allowed' : 'in use'}. Choose another one for the console`,
      )
    : error

const createAnswers = (
  { clock, session: load, page: loadPage, plan, events, actions }: ConsoleServerOptions,
  ended: AbortSignal,
): ((request: IncomingMessage, response: ServerResponse, port: number) => Promise<void>) => {
  let streams = 0
  let planning = false

  const overviewOf = (session: ConsoleSession, after?: number): Overview => {
    const overview = session.store().overview(after)
    return {
      ...overview,
      live: session.live,
      unlisted: session.unlisted(),
      ...(session.live && { to: clock.now() }),
      ...(typeof plan === 'string' && { noPlans: plan }),
      ...(typeof events === 'string' && { noEvents: events }),
      ...(actions && { hasActions: true }),
    }
  }

  return async (request, response, port) => {
    const url = new URL(request.url ?? '/', 'http://console')
    const isPage = url.pathname === '/'
    const isAction = actions !== undefined && url.pathname.startsWith(actionPath)
    for (const [name, value] of Object.entries(safetyHeaders)) response.setHeader(name, value)
    const refused = refusedRequest(request, { port, isPage, isAction })
    if (refused !== undefined) return send(response, refused.status, 'text/plain', refused.why)
    if (isPage) {
      const page = await loadPage()
      response.setHeader(
        'content-security-policy',
        `${contentPolicy(page, "'self'")}; frame-ancestors 'none'`,
      )
      return send(response, 200, 'text/html', pageHtml(page))
    }
    const signal = AbortSignal.any([ended, closed(response)])
    if (isAction) {
      const { status, body } = await answerAction(request, url.pathname.slice(actionPath.length), {
        ...{ actions, signal },
      })
      return typeof body === 'string'
        ? send(response, status, 'text/plain', body)
        : send(response, status, 'application/json', JSON.stringify(body))
    }
    const json = (value: unknown) => send(response, 200, 'application/json', JSON.stringify(value))
    switch (url.pathname) {
      case '/api/overview': {
        const session = await load()
        return json({ ...overviewOf(session), era: session.era() })
      }
      case '/api/shoot': {
        const history = (await load()).store().history(url.searchParams.get('id') ?? '')
        return history === undefined
          ? send(response, 404, 'text/plain', 'the journal has no such shoot')
          : json(history)
      }
      case '/api/search':
        return json((await load()).store().search(url.searchParams.get('q') ?? '', mostFound))
      case '/api/events': {
        if (typeof events === 'string') return send(response, 409, 'text/plain', events)
        return await events(url.searchParams.get('object') ?? '', signal).then(json, error =>
          send(response, 422, 'text/plain', messageOf(error)),
        )
      }
      case '/api/plan': {
        if (typeof plan === 'string') return send(response, 409, 'text/plain', plan)
        if (planning) return send(response, 429, 'text/plain', 'another plan is being computed; try again')
        planning = true
        try {
          const destroy = url.searchParams.get('delete') === 'true'
          return send(
            response,
            200,
            'text/plain',
            await plan(url.searchParams.get('object') ?? '', { destroy, signal }),
          )
        } catch (error) {
          return send(response, 422, 'text/plain', messageOf(error))
        } finally {
          planning = false
        }
      }
      case '/api/live': {
        if (streams >= mostStreams)
          return send(response, 503, 'text/plain', `${mostStreams} pages are open; close one`)
        const session = await load()
        const last = request.headers['last-event-id']
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        streams++
        try {
          return await streamLive(response, {
            session,
            overviewOf: after => overviewOf(session, after),
            shoot: url.searchParams.get('shoot') ?? undefined,
            last: typeof last === 'string' ? last : (url.searchParams.get('after') ?? ''),
            clock,
            signal,
          })
        } finally {
          streams--
        }
      }
      default:
        return send(response, 404, 'text/plain', 'not found')
    }
  }
}

const actionPath = '/api/act/'

const safetyHeaders = {
  'cache-control': 'no-store',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const

const send = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': `${type}; charset=utf-8` })
  response.end(response.req.method === 'HEAD' ? undefined : body)
}

const closed = (response: ServerResponse): AbortSignal => {
  const controller = new AbortController()
  response.once('close', () => controller.abort())
  return controller.signal
}
