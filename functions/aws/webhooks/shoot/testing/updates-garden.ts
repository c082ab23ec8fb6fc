import { gardenWith } from '../../testing/reviews.ts'

const machineTypes = ['m5.large', 'm5.xlarge'].map(name => ({
  name,
  cpu: '2',
  gpu: '0',
  memory: '8Gi',
  architecture: 'amd64',
}))
const images = ['1877.3.0', '1877.4.0'].map((version, index) => ({
  version,
  regions: [{ name: 'eu-west-1', ami: `ami-0aaaaaaaaaaaaaaa${index}`, architecture: 'amd64' }],
}))

/** The garden of the recordings, with two machine types and image versions. */
export const updatesGarden = (): ReturnType<typeof gardenWith> =>
  gardenWith({
    'spec.machineTypes': machineTypes,
    'spec.providerConfig.machineImages': [{ name: 'gardenlinux', versions: images }],
  })
