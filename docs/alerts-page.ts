import { type Alert, alertGroups } from '../deploy/knative/monitoring/monitoring.ts'

const titles: Readonly<Record<string, string>> = {
  bridge: 'The bridge',
  objects: 'Objects',
  functions: 'Functions',
  webhooks: 'Webhooks',
}

const section = ({ name, severity, expr, for: time, summary, meaning, steps }: Alert): string =>
  [
    `### ${name}`,
    `**${summary.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, '‹$1›')}** ${meaning} (${severity}, after ${time})`,
    steps.map((step, index) => `${index + 1}. ${step}`).join('\n'),
    `\`\`\`promql\n${expr}\n\`\`\``,
  ].join('\n\n')

/** Generates the page that every alert links to, from the alerts. */
export const alertsPage = (): string => `# Alerts

Made from the rules (\`deploy/knative/monitoring/rules\`) by \`make docs\`. Each alert links to its heading here. What is measured is in
[monitoring](monitoring.md), and what happens by itself in [the bridge](bridge.md#what-happens-when): nothing that an alert tells loses work.

Labels are those of Gardener's own alerts for seeds: \`service: trellis\`, \`severity\`, \`type: seed\`, \`visibility: operator\`. *critical*: something
that shoots need does not happen. *warning*: it will, or some of it does not.

Commands that name no namespace are for that of the installation: \`kubectl config set-context --current --namespace extension-trellis-…\`, or \`trellis\`.

${alertGroups({ namespace: 'trellis', hasWebhooks: true })
  .map(({ name, alerts }) => [`## ${titles[name] ?? name}`, ...alerts.map(section)].join('\n\n'))
  .join('\n\n')}
`
