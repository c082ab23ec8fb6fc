import * as z from 'zod'
import type { MachineImage } from './images.ts'

const head = {
  apiVersion: 'local.provider.extensions.gardener.cloud/v1alpha1',
  kind: 'WorkerStatus',
}

const machineImage = z.looseObject({
  name: z.string(),
  version: z.string(),
  image: z.string(),
  capabilities: z.record(z.string(), z.array(z.string())).optional(),
})
const workerStatusSchema = z.looseObject({ machineImages: z.array(machineImage).nullish() })

/** Returns the images in `status.providerStatus`. Empty if it is unreadable; it is then rewritten. */
export const readImagesInUse = (providerStatus: unknown): readonly MachineImage[] => {
  const { data } = workerStatusSchema.safeParse(providerStatus ?? {})
  return (data?.machineImages ?? []).map(({ name, version, image, capabilities }) => ({
    name,
    version,
    image,
    ...(capabilities && { capabilities }),
  }))
}

/** Returns the desired status, with each image once. */
export const workerStatusOf = (
  images: readonly MachineImage[],
): Readonly<Record<string, unknown>> | undefined => {
  const distinct = new Map(images.map(image => [JSON.stringify(image), image]))
  return distinct.size === 0 ? undefined : { ...head, machineImages: [...distinct.values()] }
}
