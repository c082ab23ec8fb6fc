import { measuredProcesses, recordingRules } from '../knative/monitoring/monitoring.ts'
import type { MetricDefinition } from '../shared/runtime/runtime.ts'

const titles = {
  bridge: 'The bridge',
  functions: 'Functions, shown by the bridge',
  webhook: 'Webhooks',
} as const

const row = ({ name, type, labels, help }: MetricDefinition): string =>
  `| \`${name}\`${type === 'histogram' ? ' (histogram)' : ''} | ${labels.map(label => `\`${label}\``).join(', ')} | ${help.replaceAll('|', '\\|')} |`

/** Tables of all metrics and of the values recorded, generated from the code that counts. */
export const metricsPart = (): string =>
  [
    ...measuredProcesses().map(({ process, definitions }) =>
      [
        `### ${titles[process]}`,
        `| metric | labels | what it is |\n|---|---|---|\n${definitions.map(row).join('\n')}`,
      ].join('\n\n'),
    ),
    '### Recorded',
    `| series | what for |\n|---|---|\n${recordingRules({ namespace: 'trellis', hasWebhooks: true })
      .map(({ record, why }) => `| \`${record}\` | ${why} |`)
      .join('\n')}`,
  ].join('\n\n')
