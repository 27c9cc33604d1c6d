// The base class of all values that are not JSON data, here and in the engine, so that one test tells them from data.

/** The base class of values that are not plain JSON objects, to distinguish them. */
export abstract class CelObject {}
