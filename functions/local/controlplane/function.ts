import * as z from 'zod'
import {
  controlPlaneFlow,
  controlPlanePermissions,
  controlPlaneService,
  shootWebhooksName,
} from '../../../shared/control-plane/control-plane.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'
import { providerName } from '../provider/local.ts'
import { localControlPlane } from './local-control-plane.ts'

const controlPlaneSettings = z.object({
  cloudControllerManagerImage: z.string().min(1).default('cloud-controller-manager-local:v0.0.0').meta({
    description: 'Image of the cloud controller manager, built by the local setup.',
  }),
  webhooksNamespace: z.string().min(1).default('trellis').meta({
    description: 'Namespace of the webhook process, which provides the configuration for shoots.',
  }),
})

/** ControlPlanes of type `local`: load balancers as containers, volumes as directories of the node. */
export const definition = defineFunction({
  name: 'local-controlplane',
  kind: 'ControlPlane',
  type: 'local',
  classes: ['shoot'],
  settings: controlPlaneSettings,
  permissions: controlPlanePermissions,
  service: controlPlaneService('four'),
  create: ({ cloudControllerManagerImage, webhooksNamespace }) =>
    controlPlaneFlow(
      localControlPlane({
        image: cloudControllerManagerImage,
        shootWebhooks: { namespace: webhooksNamespace, name: shootWebhooksName(providerName) },
      }),
    ),
})
