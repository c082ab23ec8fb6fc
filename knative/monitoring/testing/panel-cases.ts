import type { AlertSeries } from './alert-cases.ts'

/** The expected values of a panel for given series. */
export interface PanelCase {
  readonly title: string
  readonly series: readonly AlertSeries[]
  /** The results of each query in order: labels in promtool's syntax, and the value. */
  readonly shows: readonly (readonly { readonly labels: string; readonly value: number }[])[]
}

const bridges = [
  { pod: 'a', leads: 1 },
  { pod: 'b', leads: 0 },
] as const
const leaders = bridges.map(({ pod, leads }) => ({
  series: `trellis_bridge_leader{namespace="trellis",pod="${pod}"}`,
  values: `${leads}+0x5`,
}))
/** Both bridges report the same. */
const seen = (metric: string, kind: string, value: number) =>
  bridges.map(({ pod }) => ({
    series: `${metric}{namespace="trellis",kind="${kind}",pod="${pod}"}`,
    values: `${value}+0x5`,
  }))

/** Cases for the dashboard of the bridge, with two bridges. */
export const panelCases: readonly PanelCase[] = [
  {
    title: 'Watched objects',
    series: [
      ...leaders,
      ...seen('trellis_bridge_watched_objects', 'Worker', 50),
      ...seen('trellis_bridge_watched_objects', 'Bastion', 1),
    ],
    shows: [
      [
        { labels: '{kind="Worker"}', value: 50 },
        { labels: '{kind="Bastion"}', value: 1 },
      ],
    ],
  },
  {
    title: 'Paused',
    series: [...leaders, ...seen('trellis_bridge_paused', 'Worker', 3)],
    shows: [[{ labels: '{kind="Worker"}', value: 3 }]],
  },
  {
    title: 'Held, parked, unclaimed',
    series: [
      ...leaders,
      ...seen('trellis_bridge_held', 'Worker', 7),
      ...seen('trellis_bridge_held', 'Bastion', 1),
      ...seen('trellis_bridge_parked', 'Worker', 2),
      ...seen('trellis_bridge_unclaimed', 'Worker', 10),
    ],
    shows: [[{ labels: '{}', value: 8 }], [{ labels: '{}', value: 2 }], [{ labels: '{}', value: 10 }]],
  },
]
