// What every value class extends that is not JSON data itself, here and in the engine, so that one test tells such objects from data.

export abstract class CelObject {}
