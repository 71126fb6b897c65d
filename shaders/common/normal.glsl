// Unit vectors in two numbers from 0 to 1 (octahedron).
vec2 pack_normal(vec3 n) {
  n /= abs(n.x) + abs(n.y) + abs(n.z);
  vec2 folded = (1.0 - abs(n.yx)) * vec2(n.x >= 0.0 ? 1.0 : -1.0, n.y >= 0.0 ? 1.0 : -1.0);
  return 0.5 + 0.5 * (n.z >= 0.0 ? n.xy : folded);
}
vec3 unpack_normal(vec2 packed_normal) {
  vec2 f = 2.0 * packed_normal - 1.0;
  vec3 n = vec3(f, 1.0 - abs(f.x) - abs(f.y));
  float t = max(-n.z, 0.0);
  n.x += n.x >= 0.0 ? -t : t;
  n.y += n.y >= 0.0 ? -t : t;
  return normalize(n);
}
