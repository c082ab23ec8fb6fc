import { monitoringParts } from '../../knative.ts'
import { dataFile } from './data-file.ts'

/** `monitoring.yaml` of the chart: series, rules and dashboards. The template inserts the namespace of the release. */
export const monitoringFile = (): string => {
  const { series, groups, dashboards, logFormats } = monitoringParts({
    namespace: '$(NAMESPACE)',
    hasWebhooks: false,
  })
  const withWebhooks = monitoringParts({ namespace: '$(NAMESPACE)', hasWebhooks: true })
  const more = Object.entries(withWebhooks.dashboards).filter(([file]) => dashboards[file] === undefined)
  const webhooks = { groups: withWebhooks.groups.slice(groups.length), dashboards: Object.fromEntries(more) }
  return dataFile(
    { series, groups, dashboards, webhooks, logFormats },
    'Series, rules and dashboards, for the template.',
  )
}
