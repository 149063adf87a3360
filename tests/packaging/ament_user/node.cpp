#include <iostream>

bool is_free(const char* urdf, const char* srdf, const char* scene, const char* path);

int main(int, char** argv) { std::cout << (is_free(argv[1], argv[2], argv[3], argv[4]) ? "free\n" : "contact\n"); }
