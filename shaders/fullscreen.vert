#version 450 core
// One triangle that covers the picture, as far away as what is empty: a depth test tells what is there from what is not.
void main() { gl_Position = vec4(4.0 * (gl_VertexID & 1) - 1.0, 2.0 * (gl_VertexID & 2) - 1.0, 1.0, 1.0); }
