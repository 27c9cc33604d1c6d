// The thread of `celadon up` for requests with large bodies, as a file of its own in the bundle.

import "@celadon/apiserver/large-thread";
