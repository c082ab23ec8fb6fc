import * as z from 'zod'
import { compactDeployment, projectDeployment } from '../../../build/project/project-deployment.ts'
import { deployedObjects } from '../../../knative/knative.ts'

const service = z.object({
  apiVersion: z.literal('serving.knative.dev/v1'),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    template: z.object({
      spec: z.object({
        containerConcurrency: z.number(),
        containers: z.array(z.object({ env: z.array(z.object({ name: z.string(), value: z.string() })) })),
      }),
    }),
  }),
})

/**
 * Returns the pod's environment and concurrency of a function, or of all functions of a provider in one process
 * (`aws-compact`).
 */
export const serviceOf = async (name: string) => {
  const deployment = name.endsWith('-compact') ? compactDeployment() : projectDeployment()
  const found = deployedObjects(await deployment)
    .flatMap(object => service.safeParse(object).data ?? [])
    .find(({ metadata }) => metadata.name === name)
  if (found === undefined) throw new Error(`${name} has no Service`)
  const { containers, containerConcurrency } = found.spec.template.spec
  const env: Readonly<Record<string, string>> = Object.fromEntries(
    containers.flatMap(container => container.env).map(({ name: variable, value }) => [variable, value]),
  )
  return { env, concurrency: containerConcurrency }
}
