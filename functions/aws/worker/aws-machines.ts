import type { MachineProvider } from '../../../shared/worker/worker.ts'
import { awsClassifiers, withoutNoise } from '../../../terraform-free-infra/aws/account/aws.ts'
import { deletableSpec, desiredMachines } from './machines/machines.ts'

/** The AWS machines of a Worker. Error texts of the machine controller come from AWS. */
export const awsMachines: MachineProvider = {
  classifiers: awsClassifiers,
  stableText: withoutNoise,
  deletable: deletableSpec,
  desired: ({ worker: { spec, status }, cluster, technicalId }) => {
    const { cloudProfile, shoot } = cluster.spec
    return desiredMachines({
      pools: spec.pools,
      region: spec.region,
      technicalId,
      ipFamilies: shoot.spec?.networking?.ipFamilies ?? [],
      infrastructureStatus: spec.infrastructureProviderStatus,
      cloudProfile: cloudProfile.spec,
      cloudProfileName: cloudProfile.metadata?.name ?? '',
      providerStatus: status?.providerStatus,
    })
  },
}
