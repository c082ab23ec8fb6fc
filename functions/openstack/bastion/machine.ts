import * as z from 'zod'
import {
  bestOffer,
  chooseMachine as chooseTypeAndImage,
  ofArchitecture,
  profileField,
  profileProblem,
} from '../../../shared/bastion-machine/bastion-machine.ts'
import { messageOf } from '../../../shared/text/message-of.ts'
import {
  type CloudProfileConfig,
  cloudProfileConfigSchema,
  decodeStrictly,
} from '../../../terraform-free-infra/openstack/account/config/config.ts'
import type { OpenStackAccess } from '../../../terraform-free-infra/openstack/account/openstack.ts'
import type { DesiredBastion } from './request.ts'
import { listItems } from './resources/lists.ts'

/** The ids of flavor and image, as Nova takes them. */
export interface BastionMachine {
  readonly flavorRef: string
  readonly imageRef: string
}

interface MachineCall {
  /** In ms since the epoch. */
  readonly now: number
  readonly signal: AbortSignal
}

/**
 * Chooses the flavor and the image of a bastion from the CloudProfile (docs/contract/kinds.md#machine-of-a-bastion).
 * Throws a `CodedError` that names the field of the CloudProfile.
 */
export const chooseMachine = async (
  cloud: OpenStackAccess,
  { cloudProfile, region }: Pick<DesiredBastion, 'cloudProfile' | 'region'>,
  { now, signal }: MachineCall,
): Promise<BastionMachine> => {
  const { type, image, machine, defined, text } = chooseTypeAndImage(cloudProfile, now)
  const offers = configOf(cloudProfile)
    .machineImages.filter(({ name }) => name === image.name)
    .flatMap(({ versions }) => versions.filter(({ version }) => version === image.version))
    .flatMap(version => offersOf(version, region))
  const offer = bestOffer(defined, machine, offers)
  if (offer === undefined)
    throw profileProblem(
      `${profileField}.providerConfig.machineImages: expected an image of ${text} in ${region ?? 'the first region'}, found none. Add it, or set ${profileField}.bastion.machineImage`,
    )
  const [flavorRef, imageRef] = await Promise.all([
    flavorNamed(cloud, type, signal),
    offer.id ?? imageNamed(cloud, offer.name, signal),
  ])
  return { flavorRef, imageRef }
}

const configOf = (cloudProfile: unknown): CloudProfileConfig => {
  try {
    return decodeStrictly(cloudProfileConfigSchema, Object(cloudProfile).providerConfig)
  } catch (error) {
    throw profileProblem(`${profileField}.providerConfig: ${messageOf(error)}`)
  }
}

type MappedVersion = CloudProfileConfig['machineImages'][number]['versions'][number]

/** An id in the region is preferred to a name. */
const offersOf = ({ regions, image, capabilityFlavors }: MappedVersion, region: string | undefined) => [
  ...regions
    .filter(({ name }) => name === region)
    .map(({ id, architecture }) => ({
      id,
      name: '',
      capabilities: ofArchitecture(architecture ?? 'amd64'),
    })),
  ...capabilityFlavors.flatMap(({ capabilities = {}, ...flavor }) => [
    ...flavor.regions.filter(({ name }) => name === region).map(({ id }) => ({ id, name: '', capabilities })),
    ...(flavor.image === undefined ? [] : [{ id: undefined, name: flavor.image, capabilities }]),
  ]),
  ...(image === undefined ? [] : [{ id: undefined, name: image, capabilities: {} }]),
]

const namedSchema = z.object({ id: z.string(), name: z.string() })

const flavorNamed = async (cloud: OpenStackAccess, name: string, signal: AbortSignal): Promise<string> => {
  const list = {
    service: 'compute',
    path: ['flavors'],
    member: 'flavors',
    item: namedSchema,
    signal,
  } as const
  const flavors = await listItems(cloud, list)
  const flavor = flavors.find(one => one.name === name)
  if (flavor !== undefined) return flavor.id
  throw profileProblem(
    `OpenStack has no flavor ${name} for this project. Create it, or set ${profileField}.bastion.machineType`,
  )
}

const imageNamed = async (cloud: OpenStackAccess, name: string, signal: AbortSignal): Promise<string> => {
  const { images } = await cloud.call({
    service: 'image',
    method: 'GET',
    path: ['images'],
    query: { name, status: 'active' },
    answer: z.object({ images: z.array(namedSchema) }),
    doing: `listing images ${name}`,
    signal,
  })
  const [image, ...others] = images.filter(one => one.name === name)
  if (image === undefined)
    throw profileProblem(
      `OpenStack has no image ${name} for this project. Upload it, or set ${profileField}.bastion.machineImage`,
    )
  if (others.length > 0)
    throw profileProblem(
      `several images have the name ${name}: ${[image, ...others].map(({ id }) => id).join(', ')}. Set the id of one in ${profileField}.providerConfig.machineImages`,
    )
  return image.id
}
