import type { Clock } from '../../shared/clock/clock.ts'

export interface ByteBudgetLimits {
  /** Of all reviews together. */
  readonly all: number
  /** Of all shoots together: what is left is for the API servers of the seed and the garden. */
  readonly shoots: number
  /** Of one shoot. At least as much as the largest review has. */
  readonly shoot: number
  /** What a small review counts: its objects, its connection and what it looks up. */
  readonly least: number
}

/** Bytes that reviews may have in memory at a time. Those that do not fit wait, unread, in their order. */
export interface ByteBudget {
  /**
   * Waits until the bytes are free.
   *
   * @param shoot who asks; undefined: an API server of the seed or the garden
   * @returns gives them back; undefined: the time is up
   */
  readonly take: (
    shoot: string | undefined,
    bytes: number,
    limitMs: number,
  ) => Promise<(() => void) | undefined>
}

interface Waiting {
  readonly shoot: string | undefined
  readonly bytes: number
  readonly start: () => void
}

export const createByteBudget = (limits: ByteBudgetLimits, clock: Pick<Clock, 'after'>): ByteBudget => {
  let all = 0
  let shoots = 0
  const byShoot = new Map<string, number>()
  /** In the order in which they came. */
  const waiting = new Set<Waiting>()

  const fits = ({ shoot, bytes }: Waiting): boolean =>
    all + bytes <= limits.all &&
    (shoot === undefined ||
      (shoots + bytes <= limits.shoots && (byShoot.get(shoot) ?? 0) + bytes <= limits.shoot))

  const count = ({ shoot, bytes }: Waiting, sign: 1 | -1): void => {
    all += sign * bytes
    if (shoot === undefined) return
    shoots += sign * bytes
    const own = (byShoot.get(shoot) ?? 0) + sign * bytes
    if (own > 0) byShoot.set(shoot, own)
    else byShoot.delete(shoot)
  }

  /** A shoot that has to wait does not hold up those behind it. */
  const startThoseThatFit = (): void => {
    for (const one of waiting) {
      if (!fits(one)) continue
      waiting.delete(one)
      count(one, 1)
      one.start()
    }
  }

  return {
    take: (shoot, bytes, limitMs) =>
      new Promise(resolve => {
        const one: Waiting = {
          shoot,
          bytes: Math.max(bytes, limits.least),
          start: () => {
            cancel()
            let isGivenBack = false
            resolve(() => {
              if (isGivenBack) return
              isGivenBack = true
              count(one, -1)
              startThoseThatFit()
            })
          },
        }
        const cancel = clock.after(limitMs, () => {
          waiting.delete(one)
          resolve(undefined)
        })
        waiting.add(one)
        startThoseThatFit()
      }),
  }
}
