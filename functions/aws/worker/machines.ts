import type { MachineProvider } from '../../../shared/worker/worker.ts'
import { desiredMachines } from '../../../terraform-free-infra/aws/machines/machines.ts'

/** What machines of a Worker of AWS are. */
export const awsMachines: MachineProvider = {
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
