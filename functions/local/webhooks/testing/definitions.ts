import type { WebhookDefinition } from '../../../../shared/webhooks/admission/admission.ts'
import { definition as calicoSelfHostedShoot } from '../calico-self-hosted-shoot/webhook.ts'
import { definition as controlplane } from '../controlplane/webhook.ts'
import { definition as networkpolicy } from '../networkpolicy/webhook.ts'
import { definition as node } from '../node/webhook.ts'
import { definition as prometheus } from '../prometheus/webhook.ts'
import { definition as rolloutSpeedup } from '../rollout-speedup/webhook.ts'
import { definition as shoot } from '../shoot/webhook.ts'

export const definitions: readonly WebhookDefinition[] = [
  calicoSelfHostedShoot,
  controlplane,
  networkpolicy,
  node,
  prometheus,
  rolloutSpeedup,
  shoot,
]
