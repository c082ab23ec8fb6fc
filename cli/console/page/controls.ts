import { batch } from '@preact/signals'
import { messageOf } from '../../../shared/text/message-of.ts'
import type { NodeState } from '../../observe/observe.ts'
import type { ShootHistory } from '../model/history.ts'
import { momentAfter, momentBefore } from '../view/happenings.ts'
import type { ViewName } from '../view/link.ts'
import { mergeHistory, mergeOverview } from '../view/merge-update.ts'
import type { ConsoleData } from './data/console-data.ts'
import type { ConsoleState } from './state.ts'

/** The actions of a user. Each changes signals; nothing here touches the document. */
export const createControls = (state: ConsoleState, data: ConsoleData) => {
  let unfollow = () => {}
  let era = 0
  /** Answers for a shoot that is no longer open are dropped. */
  let opening = 0

  const fail = (error: unknown) => {
    state.problem.value = messageOf(error)
  }

  const follow = () => {
    unfollow()
    const overview = state.overview.peek()
    if (overview === undefined || !overview.live) return
    const history = state.history.peek()
    unfollow = data.follow({
      shoot: history?.shoot,
      era,
      // Everything after the older of the two; the merge drops the rest.
      after: Math.min(overview.n, history?.n ?? overview.n),
      onUpdate: update =>
        batch(() => {
          state.overview.value = mergeOverview(state.overview.peek(), update.overview)
          const open = state.history.peek()
          if (update.history !== undefined && open?.shoot === update.history.shoot)
            state.history.value = mergeHistory(open, update.history)
          state.now.value = Math.max(state.now.peek(), update.overview.to)
          if (open === undefined) openAsked()
        }),
      onReset: () => void load(),
      onConnection: isOpen => {
        state.isConnected.value = isOpen
      },
    })
  }

  const load = async () => {
    try {
      const overview = await data.overview()
      era = overview.era
      batch(() => {
        state.overview.value = overview
        state.now.value = overview.to
        state.problem.value = undefined
      })
      if (openAsked()) return
      const asked = state.shoot.peek()
      // In a live seed, the shoot may appear later.
      if (asked !== undefined && !overview.live) {
        fail(`the shoot ${asked} is not in this journal; the list has ${overview.shoots.length} others`)
        state.shoot.value = undefined
        openAsked()
      }
      follow()
    } catch (error) {
      fail(error)
    }
  }

  /** Opens the shoot of the link, or the worst one without a link. Returns false if there is none. */
  const openAsked = (): boolean => {
    const asked = state.shoot.peek()
    const all = state.overview.peek()?.shoots ?? []
    const listed = state.allShoots.peek()
    const chosen =
      asked === undefined
        ? (listed.find(({ id }) => id !== '') ?? listed[0])
        : (all.find(({ id, garden }) => id === asked || garden === asked) ??
          onlyOf(all.filter(({ id }) => id.endsWith(`--${asked}`))))
    if (chosen === undefined) return false
    void open(chosen.id, true)
    return true
  }

  const open = async (shoot: string, isSameNode = false) => {
    const mine = ++opening
    batch(() => {
      state.shoot.value = shoot
      state.step.value = undefined
      state.visible.value = undefined
      if (!isSameNode) state.node.value = undefined
    })
    try {
      const history: ShootHistory = await data.history(shoot)
      if (mine !== opening) return
      state.history.value = history
      follow()
    } catch (error) {
      if (mine === opening) fail(error)
    }
  }

  const goTo = (time: number | undefined) => {
    const overview = state.overview.peek()
    if (time === undefined || overview === undefined) state.at.value = undefined
    else if (time >= state.now.peek()) state.at.value = undefined
    else state.at.value = Math.max(overview.from, time)
  }

  return {
    load,
    open,
    goTo,
    close: () => unfollow(),
    /** Goes to the previous or next time at which something happened to the shoot. */
    goBy: (direction: -1 | 1) => {
      const find = direction < 0 ? momentBefore : momentAfter
      const found = find(state.moments.peek(), state.moment.peek())
      if (found !== undefined) goTo(found)
      else if (direction > 0) goTo(undefined)
    },
    goByMs: (ms: number) => goTo(state.moment.peek() + ms),
    show: (view: ViewName) => {
      state.view.value = view
    },
    choose: (node: string | undefined) =>
      batch(() => {
        state.node.value = node
        state.step.value = undefined
      }),
    mark: () => {
      state.from.value = state.moment.peek()
    },
    toggleState: (one: NodeState) => {
      const next = new Set(state.states.peek())
      if (!next.delete(one)) next.add(one)
      state.states.value = next
    },
    /** Opens the shoot that is `by` places further in the filtered list. */
    openNext: (by: number) => {
      const list = state.shoots.peek()
      const place = list.findIndex(({ id }) => id === state.shoot.peek())
      const next = list[Math.min(list.length - 1, Math.max(0, place + by))]
      if (next !== undefined && next.id !== state.shoot.peek()) void open(next.id)
    },
    toggleTheme: () => {
      state.theme.value = state.theme.peek() === 'dark' ? 'light' : 'dark'
    },
    search: data.search,
    events: data.events,
    canAct: data.canAct,
    allowed: data.allowed,
    prepare: data.prepare,
    write: data.write,
    plan: data.plan,
  }
}

/** The name of a shoot alone is enough if only one has it. */
const onlyOf = <T>(found: readonly T[]): T | undefined => (found.length === 1 ? found[0] : undefined)

export type Controls = ReturnType<typeof createControls>
