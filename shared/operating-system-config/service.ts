/** The Knative Service settings of a function for these configs, for its definition. */
export const operatingSystemConfigService = {
  maxScale: {
    value: 2,
    why: 'One process makes hundreds of configs in a second: a second one is for a large start.',
  },
  concurrency: { value: 100, why: 'Steps wait for the API server nearly all of their time.' },
}
