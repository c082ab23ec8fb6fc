export const loadBalancerControllerName = 'aws-load-balancer-controller'
export const loadBalancerControllerLabels = { 'app.kubernetes.io/name': loadBalancerControllerName }

/** The host name for the webhooks, used by the shoot's API server and in their certificate. */
export const webhookServiceName = `${loadBalancerControllerName}-webhook-service`
export const webhookPort = 9443
export const metricsPort = 8080
