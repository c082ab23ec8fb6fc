import {
  compactDeployment,
  projectDeployment,
  seedProcessDeployment,
} from '../../../build/project/project-deployment.ts'
import type { FoundFunction } from '../../../functions/find-functions.ts'
import { type Deployment, deployedObjects } from '../../../knative/knative.ts'
import { functionSettings } from '../../../sandbox/providers/aws/demo/shoot-seeds.ts'

/** The providers of the shoot's objects. Those of other shoots would only take time to become ready. */
const providers = ['aws', 'calico', 'gardenlinux', 'gvisor']
const extension = 'local-extension-shoot'

/** Returns the objects of each kind of installation that serves the shoot of these tests. */
export const shootDeployments = async () => ({
  base: deployedObjects(ofShoot(await projectDeployment())),
  compact: deployedObjects(ofShoot(await compactDeployment())),
  seedProcess: deployedObjects(ofShoot(await seedProcessDeployment())),
})

const isUsed = (definition: object) => {
  const { file, name } = definition as FoundFunction
  return name === extension || providers.some(provider => file.includes(`/functions/${provider}/`))
}

/** Functions wait as long as the simulated AWS takes. */
const waits = [{ name: 'TRELLIS_WAIT_SCALE', value: String(functionSettings.waitScale) }]

/** Certificates are replaced at once instead of after minutes. */
const quick = [
  { name: 'TRELLIS_SYNC_MS', value: '1000' },
  { name: 'TRELLIS_TRUST_MS', value: '5000' },
  { name: 'TRELLIS_OVERLAP_MS', value: '15000' },
]

const ofShoot = (deployment: Deployment): Deployment => ({
  ...deployment,
  // Knative refuses EventPolicies while OIDC is off.
  eventPolicies: false,
  functions: deployment.functions.filter(isUsed),
  webhooks: deployment.webhooks.filter(isUsed),
  webhook: { ...deployment.webhook, env: quick },
  compact: deployment.compact
    .map(program => ({ ...program, functions: program.functions.filter(isUsed) }))
    .filter(({ functions }) => functions.length > 0)
    .map(program => (program.name === 'aws-compact' ? { ...program, env: waits } : program)),
  serviceOf: definition => {
    const service = deployment.serviceOf(definition)
    if (!['aws-infrastructure', 'aws-bastion'].includes(definition.name)) return service
    const env = waits.map(one => ({ ...one, why: 'As long as the simulated AWS takes.' }))
    return { ...service, env: [...service.env, ...env] }
  },
})
