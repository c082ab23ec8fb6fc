import { type Alert, alertGroups } from '../deploy/knative/monitoring/monitoring.ts'

const titles: Readonly<Record<string, string>> = {
  bridge: 'The bridge',
  objects: 'Objects',
  functions: 'Functions',
  webhooks: 'Webhooks',
}

const section = ({ name, severity, for: time, summary, meaning, steps }: Alert): string =>
  [
    `### ${name}`,
    `**${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›')}** ${meaning} (${severity}, after ${time})`,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
  ].join('\n\n')

export const alertsPage = (): string => `# Alerts

For operators: what each alert means and what to do. Generated from the rules by \`make docs\`; each alert links to its heading here, and Prometheus shows its expression.
[Monitoring](monitoring.md) lists the metrics, [the bridge](bridge.md#what-happens-when) what happens without you. No alert means lost work.

Labels: \`service: trellis\`, \`severity\`, \`type: seed\`, \`visibility: operator\`. *critical*: shoots miss something now. *warning*: they will, or some do.
Commands are for the namespace of the installation: \`kubectl config set-context --current --namespace extension-trellis-…\`, or \`trellis\`.

${alertGroups({ namespace: 'trellis', hasWebhooks: true })
  .map(({ name, alerts }) => [`## ${titles[name] ?? name}`, ...alerts.map(section)].join('\n\n'))
  .join('\n\n')}
`
