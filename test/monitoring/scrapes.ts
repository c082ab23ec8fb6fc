import type { AlertSeries } from '../../knative/monitoring/testing/alert-cases.ts'

/** Converts the metrics texts of processes, one scrape per minute, to series in promtool's form. */
export interface Scrapes {
  /** @param target labels of the target: pod and container */
  take(minute: number, text: string, target: Readonly<Record<string, string>>): void
  /** Includes only series with these names. */
  series(names: ReadonlySet<string>): readonly AlertSeries[]
}

export const createScrapes = (): Scrapes => {
  const all = new Map<string, Map<number, string>>()
  let minutes = 0
  return {
    take: (minute, text, target) => {
      minutes = Math.max(minutes, minute + 1)
      const ofTarget = Object.entries({ namespace: 'trellis', ...target }).map(([k, v]) => `${k}="${v}"`)
      for (const line of text.split('\n')) {
        const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []
        if (name === undefined || value === undefined) continue
        const series = `${name}{${[...ofTarget, ...(labels === '' ? [] : [labels])].join()}}`
        const samples = all.get(series) ?? new Map<number, string>()
        all.set(series, samples.set(minute, value))
      }
    },
    series: names =>
      [...all]
        .filter(([series]) => names.has(series.slice(0, series.indexOf('{'))))
        .map(([series, samples]) => ({
          series,
          values: Array.from({ length: minutes }, (_, minute) => {
            const value = samples.get(minute)
            if (value !== undefined) return value
            // The series of a target end with it.
            return samples.has(minute - 1) ? 'stale' : '_'
          }).join(' '),
        })),
  }
}
