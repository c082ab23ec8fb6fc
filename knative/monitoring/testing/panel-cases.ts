import type { AlertSeries } from './alert-cases.ts'

/** The expected values of a panel for given series. */
export interface PanelCase {
  readonly title: string
  readonly series: readonly AlertSeries[]
  /** The results of each query in order: labels in promtool's syntax, and the value. */
  readonly shows: readonly (readonly { readonly labels: string; readonly value: number }[])[]
}

const shards = [
  { shard: '0', pod: 'a', leads: 1 },
  { shard: '0', pod: 'b', leads: 0 },
  { shard: '1', pod: 'c', leads: 1 },
] as const
const leaders = shards.map(({ shard, pod, leads }) => ({
  series: `trellis_bridge_leader{namespace="trellis",shard="${shard}",pod="${pod}"}`,
  values: `${leads}+0x5`,
}))
/** Two bridges of one shard report the same, and that of another shard differs. */
const seen = (metric: string, kind: string, [ofFirst, ofSecond]: readonly [number, number]) =>
  shards.map(({ shard, pod }) => ({
    series: `${metric}{namespace="trellis",kind="${kind}",pod="${pod}"}`,
    values: `${shard === '0' ? ofFirst : ofSecond}+0x5`,
  }))

/** Cases for the dashboard of the bridge, with two shards. */
export const panelCases: readonly PanelCase[] = [
  {
    title: 'Watched objects',
    series: [
      ...leaders,
      ...seen('trellis_bridge_watched_objects', 'Worker', [30, 20]),
      ...seen('trellis_bridge_watched_objects', 'Bastion', [1, 0]),
    ],
    shows: [
      [
        { labels: '{kind="Worker"}', value: 50 },
        { labels: '{kind="Bastion"}', value: 1 },
      ],
    ],
  },
  {
    title: 'Held, parked, unclaimed',
    series: [
      ...leaders,
      ...seen('trellis_bridge_held', 'Worker', [3, 4]),
      ...seen('trellis_bridge_held', 'Bastion', [1, 0]),
      ...seen('trellis_bridge_parked', 'Worker', [0, 2]),
      ...seen('trellis_bridge_unclaimed', 'Worker', [5, 5]),
    ],
    shows: [[{ labels: '{}', value: 8 }], [{ labels: '{}', value: 2 }], [{ labels: '{}', value: 10 }]],
  },
]
