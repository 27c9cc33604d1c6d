// What every value class extends that is not JSON data itself, here and in the engine, so that one test tells such objects from data.

/** The base class of values that are not plain JSON objects, to distinguish them. */
export abstract class CelObject {}
