/** One line of a panel. */
export interface Query {
  readonly expr: string
  /** May contain labels: `{{kind}}`. */
  readonly legend: string
}

export interface Panel {
  readonly title: string
  /** The shown value and its good range, for a first-time reader. */
  readonly description: string
  readonly unit: 'short' | 's' | 'ops' | 'bytes' | 'percentunit' | 'reqps'
  readonly queries: readonly Query[]
  /** Stacks the lines. Absent: not stacked. */
  readonly stacked?: true
  /** Shows the last values as numbers instead of lines. */
  readonly asNumbers?: true
}

export interface Dashboard {
  /** The id in its file name and URL. It never changes. */
  readonly uid: string
  readonly title: string
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[]
}

/** Columns of a Grafana dashboard. */
const columns = 24
const height = 8

/**
 * Returns a dashboard for Plutono, which is Grafana 7.5: schema version 27 and panels of that version (`graph`, `stat`,
 * `row`). Grafana converts these to newer ones, so it reads them, too. The libraries for dashboards support only the
 * newer ones. The data source is the default one: in a seed its Prometheus.
 */
export const dashboardJson = ({ uid, title, rows }: Dashboard): object => {
  let id = 0
  let y = 0
  const panels = rows.flatMap(row => {
    const head = {
      id: ++id,
      type: 'row',
      title: row.title,
      collapsed: false,
      panels: [],
      gridPos: at(0, y, columns, 1),
    }
    y += 1
    const perLine = Math.min(row.panels.length, 3)
    const width = columns / perLine
    const body = row.panels.map((panel, index) => {
      const place = at((index % perLine) * width, y + Math.floor(index / perLine) * height, width, height)
      return { id: ++id, gridPos: place, ...(panel.asNumbers ? numbersOf(panel) : linesOf(panel)) }
    })
    y += Math.ceil(row.panels.length / perLine) * height
    return [head, ...body]
  })
  return {
    annotations: { list: [] },
    editable: true,
    gnetId: null,
    graphTooltip: 1,
    links: [],
    panels,
    refresh: '1m',
    schemaVersion: 27,
    style: 'dark',
    tags: ['trellis', 'extensions'],
    templating: { list: [] },
    time: { from: 'now-3h', to: 'now' },
    timepicker: {},
    timezone: 'utc',
    title,
    uid,
    version: 1,
  }
}

const at = (x: number, y: number, w: number, h: number) => ({ x, y, w, h })

const targetsOf = ({ queries }: Panel) =>
  queries.map(({ expr, legend }, index) => ({
    expr,
    legendFormat: legend,
    refId: String.fromCharCode(65 + index),
    interval: '',
  }))

const linesOf = (panel: Panel): object => ({
  type: 'graph',
  title: panel.title,
  description: panel.description,
  datasource: null,
  targets: targetsOf(panel),
  lines: true,
  linewidth: 1,
  fill: panel.stacked ? 5 : 0,
  stack: panel.stacked === true,
  bars: false,
  points: false,
  steppedLine: false,
  nullPointMode: 'null',
  renderer: 'flot',
  legend: {
    show: true,
    values: true,
    current: true,
    max: true,
    alignAsTable: true,
    avg: false,
    min: false,
    total: false,
  },
  tooltip: { shared: true, sort: 2, value_type: 'individual' },
  xaxis: { mode: 'time', show: true, name: null, values: [], buckets: null },
  yaxes: [
    { format: panel.unit, show: true, min: '0', max: null, label: null, logBase: 1 },
    { format: 'short', show: false, min: null, max: null, label: null, logBase: 1 },
  ],
  yaxis: { align: false, alignLevel: null },
  thresholds: [],
  seriesOverrides: [],
})

const numbersOf = (panel: Panel): object => ({
  type: 'stat',
  title: panel.title,
  description: panel.description,
  datasource: null,
  targets: targetsOf(panel),
  fieldConfig: { defaults: { unit: panel.unit, mappings: [] }, overrides: [] },
  options: {
    colorMode: 'none',
    graphMode: 'area',
    justifyMode: 'auto',
    orientation: 'auto',
    textMode: 'value_and_name',
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  },
})
