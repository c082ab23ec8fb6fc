import { podDisruptionBudget } from '../../../../shared/manifests/manifests.ts'
import { metricsService } from '../objects/services.ts'
import type { Component } from '../objects/workload.ts'
import { verticalPodAutoscaler } from '../objects/workload.ts'
import { loadBalancerControllerDeployment } from './deployment.ts'
import {
  loadBalancerControllerLabels as labels,
  metricsPort,
  loadBalancerControllerName as name,
} from './names.ts'
import { loadBalancerControllerRoles } from './roles.ts'
import { webhookService } from './webhook-service.ts'
import { loadBalancerWebhooks } from './webhooks.ts'

/** Creates application load balancers for Ingresses and network load balancers for Services, if a user enables it. */
export const loadBalancerController: Component = {
  seed: rendering => [
    podDisruptionBudget(rendering.namespace, name, labels),
    metricsService(rendering.namespace, name, { selector: labels, port: metricsPort }),
    webhookService(rendering.namespace),
    loadBalancerControllerDeployment(rendering),
    verticalPodAutoscaler(rendering.namespace, name, [name], name),
  ],
  shoot: rendering =>
    rendering.config.loadBalancerController.enabled
      ? [...loadBalancerControllerRoles(), ...loadBalancerWebhooks(rendering)]
      : [],
}
