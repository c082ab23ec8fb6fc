import type { RuleScope } from '../rules/alert.ts'
import { bridgeDashboard } from './bridge-dashboard.ts'
import type { Dashboard } from './dashboard.ts'
import { functionsDashboard } from './functions-dashboard.ts'
import { overviewDashboard } from './overview-dashboard.ts'
import { webhooksDashboard } from './webhooks-dashboard.ts'

export const dashboards = (scope: RuleScope): readonly Dashboard[] => [
  overviewDashboard(scope),
  bridgeDashboard(scope),
  functionsDashboard(scope),
  ...(scope.hasWebhooks ? [webhooksDashboard(scope)] : []),
]
