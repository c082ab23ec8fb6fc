import { computed, signal } from '@preact/signals'
import type { ActionName } from '../../act/decide-action.ts'
import type { NodeState, TreeNode } from '../../observe/observe.ts'
import { indexNodes, treesAt } from '../model/at-moment.ts'
import type { Overview, ShootHistory, StepBar } from '../model/history.ts'
import { byCause } from '../view/by-cause.ts'
import { filterShoots, shootsAt } from '../view/filter-shoots.ts'
import { momentsOf } from '../view/happenings.ts'
import { parseLink, type TabName, type ViewName } from '../view/link.ts'
import { happenedTo, timelineRows } from '../view/timeline-rows.ts'

type Theme = 'dark' | 'light'

/** Everything that the page shows. Parts read the signals that they need and are drawn again when those change. */
export const createState = (search: string, prefersLight: boolean) => {
  const link = parseLink(search)
  const overview = signal<Overview | undefined>(undefined)
  const history = signal<ShootHistory | undefined>(undefined)
  const problem = signal<string | undefined>(undefined)
  const isConnected = signal(true)

  /** The time of the clock if entries still arrive, otherwise the end of the journal. */
  const now = signal(0)
  const at = signal<number | undefined>(link.at)
  const moment = computed(() => at.value ?? now.value)
  const from = signal<number | undefined>(link.from)

  const view = signal<ViewName>(link.view)
  const shoot = signal<string | undefined>(link.shoot)
  const node = signal<string | undefined>(link.node)
  const tab = signal<TabName>(link.tab ?? 'manifest')
  const step = signal<StepBar | undefined>(undefined)
  const toggled = signal<ReadonlySet<string>>(new Set())

  const states = signal<ReadonlySet<NodeState>>(new Set())
  const text = signal('')
  const allShoots = computed(() =>
    shootsAt(overview.value?.shoots ?? [], moment.value, overview.value?.unlisted),
  )
  const shoots = computed(() => filterShoots(allShoots.value, { states: states.value, text: text.value }))

  const isByCause = signal(false)
  const causes = computed(() => byCause(shoots.value))

  const index = computed(() => indexNodes(history.value?.nodes ?? []))
  const trees = computed(() => treesAt(index.value, moment.value))
  const happened = computed(() => happenedTo(history.value ?? { steps: [], events: [] }))
  const rows = computed(() => timelineRows(trees.value, index.value, happened.value))
  const moments = computed(() => (history.value === undefined ? [] : momentsOf(history.value)))
  const chosenNode = computed(() => findNode(trees.value, node.value))

  return {
    overview,
    history,
    problem,
    isConnected,
    now,
    at,
    moment,
    from,
    view,
    shoot,
    node,
    tab,
    step,
    toggled,
    states,
    text,
    allShoots,
    shoots,
    isByCause,
    causes,
    index,
    trees,
    happened,
    rows,
    moments,
    chosenNode,
    theme: signal<Theme>(prefersLight ? 'light' : 'dark'),
    isHelpOpen: signal(false),
    isSearchOpen: signal(false),
    /** The action that the dialog asks about. */
    action: signal<{ readonly action: ActionName; readonly target: string } | undefined>(undefined),
    isActionOpen: signal(false),
    /** The visible part of the timeline, in ms since 1970. Undefined: all of it. */
    visible: signal<readonly [number, number] | undefined>(undefined),
  }
}

export type ConsoleState = ReturnType<typeof createState>

const findNode = (trees: readonly TreeNode[], id: string | undefined): TreeNode | undefined => {
  if (id === undefined) return undefined
  for (const tree of trees) {
    if (tree.id === id) return tree
    const inside = findNode(tree.children, id)
    if (inside !== undefined) return inside
  }
  return undefined
}
