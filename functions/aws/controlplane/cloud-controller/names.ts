export const cloudControllerName = 'cloud-controller-manager'
export const cloudControllerLabels = { app: 'kubernetes', role: cloudControllerName }

/** Port for metrics and probes, over TLS. */
export const metricsPort = 10258
