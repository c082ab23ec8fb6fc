import { type Alert, alertGroups } from '../knative/monitoring/monitoring.ts'

const titles: Readonly<Record<string, string>> = {
  bridge: 'The bridge',
  objects: 'Objects',
  functions: 'Functions',
  webhooks: 'Webhooks',
}

const section = ({ name, severity, for: time, summary, meaning, steps }: Alert): string =>
  [
    `### ${name}`,
    `**${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›')}** ${meaning} (${severity}, ${time})`,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
  ].join('\n\n')

export const alertsPage = (): string => `# Alerts

For operators: what each alert means and what to do. \`make docs\` generates it from the rules; each alert links to its heading here. No alert means lost work. See also [metrics](monitoring.md) and what [the bridge](bridge.md#what-happens-when) handles itself.

The severity and the time before it fires follow each meaning. *critical*: shoots miss something now. *warning*: they will, or some do. Labels: \`service: trellis\`, \`severity\`, \`type: seed\`, \`visibility: operator\`.
Run commands in the namespace of the installation (\`trellis\`, or \`extension-…\`). First read the log, \`kubectl logs -l app=bridge\` (or \`app=webhook\`): a line names a missing dependency and its setting.

${alertGroups({ namespace: 'trellis', hasWebhooks: true })
  .map(({ name, alerts }) => [`## ${titles[name] ?? name}`, ...alerts.map(section)].join('\n\n'))
  .join('\n\n')}
`
