export const loadBalancerControllerName = 'aws-load-balancer-controller'
export const loadBalancerControllerLabels = { 'app.kubernetes.io/name': loadBalancerControllerName }

/** The host by which the shoot's API server calls its webhooks, and the name of their certificate. */
export const webhookServiceName = `${loadBalancerControllerName}-webhook-service`
export const webhookPort = 9443
export const metricsPort = 8080
