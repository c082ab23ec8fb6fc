import type { Clock } from '../../shared/clock/clock.ts'
import { ApiError } from './requests/api-error.ts'
import { type ApiRequest, Disconnect } from './requests/api-request.ts'

export type FaultEffect =
  /** Returns a `Status` instead of acting. */
  | {
      readonly kind: 'answer'
      readonly code: number
      readonly reason?: string
      readonly message?: string
      readonly retryAfterSeconds?: number
    }
  /** Breaks the connection: before the server acts, or after it acts and before it responds. */
  | { readonly kind: 'disconnect'; readonly acted: boolean }
  /** Acts and responds late, in ms on the server's clock. */
  | { readonly kind: 'delay'; readonly milliseconds: number }
  /** Never responds. Ends when the client aborts. */
  | { readonly kind: 'hang' }

export interface RequestFault {
  readonly effect: FaultEffect
  /** Number of requests that it affects. Default: 1. */
  readonly times?: number
  /** Selects the requests. Default: all. */
  readonly matches?: (request: ApiRequest) => boolean
}

/** Faults to inject. The first one that matches a request applies. */
export interface Faults {
  /** Returns a function that removes the fault. */
  add(fault: RequestFault): () => void
  clear(): void
  /** Stops all responses and watch events until `thaw`. Connections remain open. */
  freeze(): void
  thaw(): void
  /** Resolves when the server is not frozen. */
  whileFrozen(): Promise<void>
  /** Runs `act` with the fault that matches the request, if any. */
  around<T>(request: ApiRequest, act: () => T | Promise<T>): Promise<T>
}

export const createFaults = (clock: Clock): Faults => {
  const active = new Map<RequestFault, number>()
  let frozen: { readonly until: Promise<void>; readonly end: () => void } | undefined

  const hitting = (request: ApiRequest): FaultEffect | undefined => {
    for (const [fault, left] of active) {
      if (fault.matches && !fault.matches(request)) continue
      if (left <= 1) active.delete(fault)
      else active.set(fault, left - 1)
      return fault.effect
    }
    return undefined
  }

  return {
    add: fault => {
      active.set(fault, fault.times ?? 1)
      return () => active.delete(fault)
    },
    clear: () => active.clear(),
    freeze: () => {
      if (frozen) return
      const { promise, resolve } = Promise.withResolvers<void>()
      frozen = { until: promise, end: resolve }
    },
    thaw: () => {
      frozen?.end()
      frozen = undefined
    },
    whileFrozen: async () => {
      while (frozen) await frozen.until
    },
    around: async (request, act) => {
      while (frozen) await frozen.until
      if (active.size === 0) return act()
      const effect = hitting(request)
      switch (effect?.kind) {
        case undefined:
          return act()
        case 'answer':
          throw failureOf(effect)
        case 'disconnect':
          if (effect.acted) await act()
          throw new Disconnect('the connection was broken by an injected fault')
        case 'delay':
          await clock.sleep(effect.milliseconds, request.signal)
          return act()
        case 'hang':
          return new Promise((_, reject) => {
            const stop = () => reject(new Disconnect('the client has disconnected'))
            if (request.signal?.aborted) stop()
            request.signal?.addEventListener('abort', stop, { once: true })
          })
      }
    },
  }
}

const failureOf = (effect: Extract<FaultEffect, { kind: 'answer' }>): ApiError =>
  new ApiError({
    code: effect.code,
    reason: effect.reason ?? '',
    message: effect.message ?? `injected failure ${effect.code}`,
    ...(effect.retryAfterSeconds === undefined
      ? {}
      : { details: { retryAfterSeconds: effect.retryAfterSeconds } }),
  })
