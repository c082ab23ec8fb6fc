import * as z from 'zod'

/** The settings of the function. */
export const controlPlaneSettings = z.object({
  cloudControllerManagerImage: z.string().min(1).default('cloud-controller-manager-local:v0.0.0').meta({
    description: 'Image of the cloud controller manager, built by the local setup.',
  }),
  webhooksNamespace: z.string().min(1).default('trellis').meta({
    description: 'Namespace of the webhook process, which provides the configuration for shoots.',
  }),
})
