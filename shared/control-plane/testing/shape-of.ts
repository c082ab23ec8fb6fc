import type { ControlPlaneSeed } from './seed.ts'

/** Returns the resulting objects without values that depend on keys and times. */
export const shapeOf = async (seed: ControlPlaneSeed) => {
  const withoutHash = (name: string) => name.replace(/-[0-9a-f]{8}(?=$|-[0-9a-f]{5}$)/, '')
  return {
    secrets: (await seed.secrets())
      .map(({ metadata: { name, labels = {} }, type, data }) =>
        [withoutHash(name), type, ...Object.keys(labels).sort(), ...Object.keys(Object(data)).sort()].join(
          ' ',
        ),
      )
      .sort(),
    managedResources: await seed.managedResources(),
  }
}
