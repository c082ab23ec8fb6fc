import { describe, expect, test } from 'vitest'
import { dashboardJson } from '../dashboards/dashboard.ts'
import { dashboards } from '../dashboards/dashboards.ts'
import { measuredProcesses, processSeries, seriesNames } from '../measured.ts'
import { alertCases } from '../testing/alert-cases.ts'
import { groupingLabels, namedSeries } from '../testing/metric-names.ts'
import { alertNames } from '../testing/promtool-cases.ts'
import { recordingRules } from './recording-rules.ts'
import { alertGroups, ruleGroups } from './rules.ts'

const scope = { namespace: 'trellis', hasWebhooks: true }
const alerts = alertGroups(scope).flatMap(group => group.alerts)
const records = recordingRules(scope)
const alertRules = ruleGroups(scope).groups.flatMap(({ rules }) => rules.filter(rule => 'alert' in rule))
const panels = dashboards(scope).flatMap(({ uid, rows }) =>
  rows.flatMap(row => row.panels.map(panel => ({ ...panel, of: `${uid}: ${panel.title}` }))),
)

/** Labels that Prometheus adds to every series of a target, and the label of a histogram. */
const ofTarget = ['namespace', 'pod', 'container', 'job', 'instance', 'le']
/** Container series of the node (cAdvisor) that the Prometheus of a seed stores. */
const ofOthers = new Map([['container_oom_events_total', []]])

const known = new Map<string, readonly string[]>([
  ...measuredProcesses().flatMap(({ definitions }) =>
    definitions.flatMap(definition =>
      seriesNames(definition).map(name => [name, definition.labels] as const),
    ),
  ),
  ...processSeries.map(name => [name, []] as const),
  ...ofOthers,
  ...records.map(({ record, expr }) => [record, groupingLabels(expr)] as const),
])

const expressions = [
  ...alerts.map(({ name, expr }) => [name, expr] as const),
  ...records.map(({ record, expr }) => [record, expr] as const),
  ...panels.flatMap(({ of, queries }) => queries.map(({ expr }) => [of, expr] as const)),
]

describe('rules and dashboards', () => {
  test.each(expressions)('%s uses only existing series and their labels', (_, expr) => {
    const series = namedSeries(expr)
    expect(series.length).toBeGreaterThan(0)
    const labels = new Set(ofTarget)
    for (const { name } of series) {
      expect([...known.keys()]).toContain(name)
      for (const label of known.get(name) ?? []) labels.add(label)
    }
    for (const { name, labels: matched } of series)
      for (const label of matched) expect([...ofTarget, ...(known.get(name) ?? [])]).toContain(label)
    for (const label of groupingLabels(expr)) expect([...labels]).toContain(label)
  })

  test.each(expressions)('%s selects one installation', (_, expr) => {
    for (const { labels } of namedSeries(expr)) expect(labels).toContain('namespace')
    // A name without matchers would select every installation of a cluster.
    expect(expr.replaceAll(/[\w:]+\{[^{}]*\}/g, '')).not.toMatch(
      /\b(trellis|nodejs|process|container)[_:]\w+/,
    )
  })

  test.each(panels)('$of: its legend has only labels of its query', ({ queries }) => {
    for (const { expr, legend } of queries)
      for (const [, label = ''] of legend.matchAll(/\{\{(\w+)\}\}/g))
        expect([...groupingLabels(expr), ...(expr.includes('by (') ? [] : ofTarget)]).toContain(label)
  })
})

/**
 * Labels that prometheus-operator makes Prometheus set on each series of a target (pkg/prometheus/promcfg.go). Our
 * label of the same name would become `exported_…`.
 */
const ofPrometheus = ['namespace', 'pod', 'container', 'service', 'endpoint', 'job', 'instance', 'node']

test.each(measuredProcesses())(
  'metrics of $process do not have a label that Prometheus sets on targets',
  ({ definitions }) => {
    for (const { name, labels } of definitions)
      expect(
        labels.filter(label => ofPrometheus.includes(label)),
        name,
      ).toEqual([])
  },
)

describe('alerts', () => {
  test('each has a promtool case in which it fires and one in which it does not', () => {
    expect(alertCases.map(({ alert }) => alert).toSorted()).toEqual(alertNames().toSorted())
  })

  test('have unique names', () => {
    expect(new Set(alertNames()).size).toBe(alertNames().length)
  })

  test.each(alertRules)('$alert does not override a label of its results', rule => {
    // Prometheus refuses two results that differ only in an overwritten label.
    for (const label of groupingLabels(rule.expr)) expect(Object.keys(rule.labels)).not.toContain(label)
  })

  test.each(alerts)('$name has a meaning and steps, with labels that it has', alert => {
    expect(alert.meaning).toMatch(/\.$/)
    expect(alert.steps.length).toBeGreaterThan(0)
    for (const [, label = ''] of alert.summary.matchAll(/\{\{ \$labels\.(\w+) \}\}/g))
      expect(groupingLabels(alert.expr)).toContain(label)
    for (const [, other = ''] of [alert.meaning, ...alert.steps].join(' ').matchAll(/\]\(#(\w+)\)/g))
      expect(alertNames().map(name => name.toLowerCase())).toContain(other)
  })

  test('omit webhooks if none exist', () => {
    const names = alertGroups({ ...scope, hasWebhooks: false }).flatMap(group =>
      group.alerts.map(({ name }) => name),
    )
    expect(names.filter(name => name.includes('Webhook'))).toEqual([])
  })
})

describe('a dashboard', () => {
  test.each(dashboards(scope))(
    '$uid has only features of Plutono, a Grafana 7.5, and no overlapping panels',
    dashboard => {
      const { schemaVersion, panels: made } = dashboardJson(dashboard) as {
        readonly schemaVersion: number
        readonly panels: readonly { readonly id: number; readonly type: string; readonly gridPos: Place }[]
      }
      expect(schemaVersion).toBe(27)
      expect(new Set(made.map(({ id }) => id)).size).toBe(made.length)
      for (const { type, gridPos } of made) {
        expect(['row', 'graph', 'stat']).toContain(type)
        expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
      }
      const cells = made.flatMap(({ gridPos: { x, y, w, h } }) =>
        Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`),
      )
      expect(new Set(cells).size).toBe(cells.length)
    },
  )
})

interface Place {
  readonly x: number
  readonly y: number
  readonly w: number
  readonly h: number
}
